"""Every span, metric, event and attribute name that we emit: GenAI conventions where there is one, `guardrail.*` else.

They are written out here, and not imported from the incubating packages of the conventions, whose constants move between
versions; a test compares those that are there.
"""

from __future__ import annotations

# OpenTelemetry semantic conventions for generative AI
OPERATION_NAME = "gen_ai.operation.name"
PROVIDER_NAME = "gen_ai.provider.name"
REQUEST_MODEL = "gen_ai.request.model"
REQUEST_STREAM = "gen_ai.request.stream"
RESPONSE_ID = "gen_ai.response.id"
RESPONSE_MODEL = "gen_ai.response.model"
RESPONSE_FINISH_REASONS = "gen_ai.response.finish_reasons"
USAGE_INPUT_TOKENS = "gen_ai.usage.input_tokens"
USAGE_OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
TOKEN_TYPE = "gen_ai.token.type"
EVALUATION_RESULT = "gen_ai.evaluation.result"
EVALUATION_NAME = "gen_ai.evaluation.name"
EVALUATION_SCORE_VALUE = "gen_ai.evaluation.score.value"
EVALUATION_SCORE_LABEL = "gen_ai.evaluation.score.label"
EVALUATION_EXPLANATION = "gen_ai.evaluation.explanation"
OPERATION_DURATION = "gen_ai.client.operation.duration"
TIME_TO_FIRST_CHUNK = "gen_ai.client.operation.time_to_first_chunk"
TOKEN_USAGE = "gen_ai.client.token.usage"
SERVER_ADDRESS = "server.address"
SERVER_PORT = "server.port"
ERROR_TYPE = "error.type"

# our own spans
CHECK_SPAN = "guardrail.check"
RETRIEVAL_SPAN = "retrieval"

# our own attributes
ID = "guardrail.id"
POLICY = "guardrail.policy.name"
POLICY_HASH = "guardrail.policy.hash"
MODE = "guardrail.mode"
ACTION = "guardrail.action"
OUTCOME = "guardrail.outcome"
KAS = "guardrail.kas"
CLAIMS = "guardrail.claims"
FLAGGED = "guardrail.claims.flagged"
UNCHECKED = "guardrail.claims.unchecked"
NOT_AUDITED = "guardrail.not_audited"
LABEL = "guardrail.claim.label"
CLAIM_ID = "guardrail.claim.id"
CLAIM_START = "guardrail.claim.start"
CLAIM_END = "guardrail.claim.end"
REASON = "guardrail.reason"
STAGE = "guardrail.stage"

# our own metrics
ANSWERS = "guardrail.answers"
ANSWER_CLAIMS = "guardrail.claims.checked"
ANSWER_UNCHECKED = "guardrail.claims.not_checked"
ANSWER_KAS = "guardrail.answer.kas"
STAGE_DURATION = "guardrail.stage.duration"
LOST_RECORDS = "guardrail.audit.not_audited"
AUDIT_PENDING = "guardrail.audit.pending"
POLICY_RELOADS = "guardrail.policy.reloads"
ACTIVE = "guardrail.answers.active"
LIMITS_AWAY = "guardrail.limits.away"
LIMITS_ALONE = "guardrail.limits.alone"
REPORTS_AWAY = "guardrail.reports.away"
MODEL_AWAY = "guardrail.model.away"
MODEL_REPLACED = "guardrail.model.replaced"
REVIEWER_SAVED = "guardrail.reviewer.saved"
REVIEWER_CALLS = "guardrail.reviewer.calls"
REVIEWER_TOKENS = "guardrail.reviewer.tokens"
REVIEWER_COST = "guardrail.reviewer.cost"
REVIEWER_CACHE_AWAY = "guardrail.reviewer.cache.away"
