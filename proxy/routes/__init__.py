"""The proxy's own doors, open to whoever may have texts checked: verify, revise, extract, reports, pages."""
