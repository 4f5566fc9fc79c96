"""Between the event loop and the verifier: sentences are queued in order and judged in worker threads.

In: sentences of one choice. Out: verdicts and decisions in the order of the sentences, reports, records on the disk.

    judge                 one choice: what was found, what the policy decides
    place                 where a choice is checked: in threads of this process, or elsewhere
    strand, pool, eager   the jobs of one choice, one after the other, over shared worker threads
    recorder, reports, report_json    records that are durable before the client sees the end; reports by id
    excerpt               how much is told of a long text that is not checked
"""
