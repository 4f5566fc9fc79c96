"""LlamaIndex: `OpenAILike` with another address; the policy is a header of every request."""

import os

from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike

URL = os.environ.get("GUARDRAIL_URL", "http://127.0.0.1:8080")
model = OpenAILike(
    api_base=f"{URL}/v1",
    api_key=os.environ.get("OPENAI_API_KEY", "any"),
    model="demo",
    is_chat_model=True,
    default_headers={"x-guardrail-policy": "revise"},
)

print(model.chat([ChatMessage(role="user", content="What is the capital of Australia?")]).message.content)
# → The capital of Australia is Canberra. Its currency is the Australian dollar.
