"""LiteLLM: the settings of config.yaml through litellm's own router, which the LiteLLM proxy is made of."""

import os
from pathlib import Path

os.environ.setdefault("GUARDRAIL_BASE_URL", os.environ.get("GUARDRAIL_URL", "http://127.0.0.1:8080") + "/v1")
os.environ.setdefault("GUARDRAIL_KEY", "any")
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # nothing is fetched at the start

import yaml
from litellm import Router

config = yaml.safe_load((Path(__file__).parent / "config.yaml").read_text())
router = Router(model_list=config["model_list"])
question = [{"role": "user", "content": "What is the capital of Australia?"}]
print(router.completion(model="checked", messages=question).choices[0].message.content)
# → The capital of Australia is Canberra. Its currency is the Australian dollar.
