-- Account: who asked for a code guesses on a count of their own, so that a stranger's guesses do not use it up.

alter table account_codes
  -- HMAC of the ticket that went to who asked, or of the user who was signed in. Null: codes of before.
  add column asker bytea check (length(asker) = 32),
  add column strange_guesses int not null default 0 check (strange_guesses >= 0);
