-- Until when a channel takes evidence against a dispute; null where it does not say.
alter table payments_disputes add column due_at timestamptz;
create index payments_disputes_due on payments_disputes (due_at) where state = 'open';

-- What an operator hands in against a dispute, once: words, and what is known of the order. Sent by a worker until the channel has it.
create table payments_evidence (
  evidence_no text primary key check (evidence_no ~ '^E\d{8}-[0-9A-Z]{12}$'),
  dispute_pk bigint not null unique references payments_disputes,
  words text not null check (length(words) between 1 and 5000),
  facts jsonb not null,
  -- waiting: on its way; taken: the channel has it; refused: the channel, or time, said no.
  state text not null default 'waiting' check (state in ('waiting','taken','refused')),
  refusal text not null default '' check (length(refusal) <= 200),
  asked_by text not null,
  asked_at timestamptz not null default now(),
  next_check_at timestamptz default now(),
  checks int not null default 0,
  ended_at timestamptz,
  check ((state = 'waiting') = (next_check_at is not null) and (state = 'waiting') = (ended_at is null)),
  check ((state = 'refused') = (refusal <> ''))
);
create index payments_evidence_due on payments_evidence (next_check_at) where next_check_at is not null;
revoke delete, truncate on payments_evidence from mingxi_app;

create function payments_guard_evidence() returns trigger language plpgsql as $$
declare
  v_state text;
begin
  if tg_op = 'INSERT' then
    select state into v_state from payments_disputes where id = new.dispute_pk for share;
    if v_state <> 'open' then
      raise exception 'dispute % is closed', new.dispute_pk using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if old.state <> 'waiting' then
    raise exception 'evidence % has ended', old.evidence_no using errcode = 'check_violation';
  end if;
  if (new.evidence_no, new.dispute_pk, new.words, new.facts, new.asked_by, new.asked_at)
     is distinct from (old.evidence_no, old.dispute_pk, old.words, old.facts, old.asked_by, old.asked_at) then
    raise exception 'what was handed in is frozen' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payments_evidence_guard before insert or update on payments_evidence for each row execute function payments_guard_evidence();

-- The sandbox's company takes evidence for a week.
alter table payments_sandbox_disputes add column evidence_no text, add column evidence jsonb;
