"""Language models as checkers: our own prompt, and those of ClaimVer, FLEEK and RefChecker."""
