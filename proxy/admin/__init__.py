"""Doors for the administrator: knowledge, documents, imports, policies and the audit log as REST."""
