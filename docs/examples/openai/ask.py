"""The official client: only `base_url` changes, and the findings are on the message."""

import os

from openai import OpenAI

URL = os.environ.get("GUARDRAIL_URL", "http://127.0.0.1:8080")
client = OpenAI(base_url=f"{URL}/v1", api_key=os.environ.get("OPENAI_API_KEY", "any"))

answer = client.chat.completions.create(
    model="demo",
    messages=[{"role": "user", "content": "What is the capital of Australia?"}],
    extra_headers={"x-guardrail-policy": "revise"},
)
message = answer.choices[0].message
print(message.content)
for claim in message.guardrail["claims"]:
    print(f"{claim['label']}: {claim['text']}")
# → The capital of Australia is Canberra. Its currency is the Australian dollar.
# → contradictory: The capital of Australia is Sydney.
# → attributable: Its currency is the Australian dollar.
