-- What customers ask the invoice desk for: an invoice that their own form does not take. One of a month waits at a time; how it ended is kept.

create table payments_invoice_requests (
  id bigint generated always as identity primary key,
  request_no text not null unique,
  user_id text not null,
  month text not null check (month ~ '^20\d\d-(0[1-9]|1[0-2])$'),
  lang text not null check (lang in ('zh','en')),
  details jsonb not null,
  note text not null default '' check (length(note) <= 300),
  -- Dollars that the customer agreed to pay for it at most.
  agreed_fee text not null check (agreed_fee ~ '^\d{1,6}(\.\d{1,2})?$'),
  state text not null default 'open' check (state in ('open','issued','refused','withdrawn')),
  asked_at timestamptz not null default now(),
  ended_at timestamptz,
  paper_no text references payments_papers (paper_no),
  cause text not null default '',
  -- What the desk wrote to the customer.
  answer text not null default '' check (length(answer) <= 300),
  check ((state = 'open') = (ended_at is null)),
  check ((state = 'issued') = (paper_no is not null)),
  check ((state = 'refused') = (cause <> ''))
);
create unique index payments_invoice_requests_one on payments_invoice_requests (user_id, month) where state = 'open';
create index payments_invoice_requests_open on payments_invoice_requests (asked_at) where state = 'open';
create index payments_invoice_requests_user on payments_invoice_requests (user_id, id);
revoke delete, truncate on payments_invoice_requests from mingxi_app;

create function payments_guard_invoice_request() returns trigger language plpgsql as $$
begin
  if old.state <> 'open' then
    raise exception 'request % has ended', old.request_no using errcode = 'check_violation';
  end if;
  if (new.request_no, new.user_id, new.month, new.lang, new.details, new.note, new.agreed_fee, new.asked_at)
     is distinct from (old.request_no, old.user_id, old.month, old.lang, old.details, old.note, old.agreed_fee, old.asked_at) then
    raise exception 'what was asked for is frozen' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payments_invoice_requests_guard before update on payments_invoice_requests for each row execute function payments_guard_invoice_request();
