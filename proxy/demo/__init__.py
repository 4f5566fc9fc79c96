"""The demo model: a model server in this process, so that the proxy can be tried without a key.

It answers its sample questions at a human pace, with planted errors; `verify: <text>` is said back; anything else gets a
short answer with one true sentence, and some of the questions. Model `demo` speaks as a person reads, `demo-fast` as fast
as it can. It speaks chat completions, completions, Responses, Messages and embeddings.
"""

from proxy.demo.samples import Sample, reply, samples
from proxy.demo.upstream import MODELS, PACE, DemoUpstream

__all__ = ["MODELS", "PACE", "DemoUpstream", "Sample", "reply", "samples"]
