"""A small web app that streams an answer to its own clients, sentence by sentence as they are judged.

Start it with `python app.py`, then `curl -N "http://127.0.0.1:9000/ask?question=When%20was%20Taylor%20Swift%20born%3F"`.
"""

import os
from collections.abc import AsyncIterator

import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from openai import AsyncOpenAI

URL = os.environ.get("GUARDRAIL_URL", "http://127.0.0.1:8080")
client = AsyncOpenAI(base_url=f"{URL}/v1", api_key=os.environ.get("OPENAI_API_KEY", "any"))
app = FastAPI()


async def words(question: str) -> AsyncIterator[str]:
    stream = await client.chat.completions.create(
        model="demo",
        messages=[{"role": "user", "content": question}],
        stream=True,
        extra_headers={"x-guardrail-policy": "revise"},
    )
    async for chunk in stream:
        if chunk.choices and chunk.choices[0].delta.content:
            yield chunk.choices[0].delta.content


@app.get("/ask")
async def ask(question: str) -> StreamingResponse:
    return StreamingResponse(words(question), media_type="text/plain")


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "9000")))
