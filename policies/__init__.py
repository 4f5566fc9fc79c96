"""`Report` in, `Decision` out: what an operator wants done about each finding, written in YAML.

Pure functions, except that loading reads files. A `Policy` is what the YAML says, a `Decision` what is done with one answer.

    policy, reader, build, conditions, classes    from YAML to a `Policy`
    decide, strictness, edit, template            what is done, which of two policies is stricter, the edited text
    backtest, calibrate, recording                what a policy would have done with recorded answers
    explain, notes, cli                           a policy in words; `guardrail policy`
"""
