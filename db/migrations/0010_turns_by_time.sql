-- Whose turn it is in work that goes round the workspaces is looked up, however many there are.
create index credit_flushes_by_turn on credit_flushes (walked_at);
create index ledger_recounts_by_turn on ledger_recounts (turn_at);
create index ledger_seal_turns_by_turn on ledger_seal_turns (turn_at);
