"""The base layer: frozen records, spans, diagnostics, limits, child processes. Independent of languages and games."""
