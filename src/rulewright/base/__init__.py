"""The ground floor: frozen records, spans, diagnostics, limits, child processes. Knows no language and no game."""
