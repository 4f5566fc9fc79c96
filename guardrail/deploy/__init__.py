"""guardrail on more than one machine: the checks as an application of Ray Serve (extra `ray`).

options     what an operator may choose
serving     what runs in the replicas: checks of whole texts, and the model that reads evidence and claim
ingress     the HTTP doors in front of them
ray         puts them together: `app` for a Serve config file, `run` for `guardrail deploy ray`
"""
