"""The data sets that suites read, each with its reader. What is missing is said by `DataMissing`."""
