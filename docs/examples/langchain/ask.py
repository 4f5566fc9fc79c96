"""LangChain: `ChatOpenAI` with another address; the policy is a header of every request."""

import os

from langchain_core.prompts import ChatPromptTemplate
from langchain_openai import ChatOpenAI

URL = os.environ.get("GUARDRAIL_URL", "http://127.0.0.1:8080")
model = ChatOpenAI(
    base_url=f"{URL}/v1",
    api_key=os.environ.get("OPENAI_API_KEY", "any"),
    model="demo",
    default_headers={"x-guardrail-policy": "revise"},
)
chain = ChatPromptTemplate.from_messages([("user", "{question}")]) | model

print(chain.invoke({"question": "What is the capital of Australia?"}).content)
print("".join(part.content for part in chain.stream({"question": "When was Taylor Swift born?"})))
# → The capital of Australia is Canberra. Its currency is the Australian dollar.
# → Taylor Swift was born on 13 December 1989 in West Reading. She is an American singer and songwriter.
