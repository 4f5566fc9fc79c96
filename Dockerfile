# syntax=docker/dockerfile:1
# Two stages: the first builds a virtual environment, the second holds nothing but it. No network is needed at run time.
FROM python:3.11-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE CHANGELOG.md SECURITY.md mkdocs.yml ./
COPY deploy deploy
COPY docs docs
COPY eval/datasets/kg_mapping.yaml eval/datasets/
COPY guardrail guardrail
COPY policies policies
COPY proxy proxy
RUN python -m venv /opt/guardrail && /opt/guardrail/bin/pip install --no-cache-dir ".[postgres,redis]"

FROM python:3.11-slim
LABEL org.opencontainers.image.title="guardrail" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.description="OpenAI-compatible proxy that checks what a chat model says, claim by claim"
RUN useradd --create-home --uid 10001 guardrail && install -d -o guardrail /var/lib/guardrail
COPY --from=build /opt/guardrail /opt/guardrail
ENV PATH=/opt/guardrail/bin:$PATH GUARDRAIL_HOME=/var/lib/guardrail PYTHONUNBUFFERED=1
USER guardrail
VOLUME /var/lib/guardrail
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/healthz', timeout=2)"]
# Inside a container the port is only reachable through what the operator publishes, so binding to all addresses is right.
ENTRYPOINT ["guardrail"]
CMD ["serve", "--host", "0.0.0.0"]
