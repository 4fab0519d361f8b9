-- What comes first in the inbox, and what sleeps until a time or until its customer writes.
alter table support_conversations
  -- 0 urgent, 1 high, 2 normal: as the inbox is ordered.
  add column priority smallint not null default 2 check (priority between 0 and 2),
  add column snoozed_until timestamptz,
  add column snoozed_by text,
  add check ((snoozed_until is null) = (snoozed_by is null)),
  add check (snoozed_until is null or state <> 'closed');
create index support_conversations_inbox on support_conversations (state, priority, updated_at, id);
create index support_conversations_snoozed on support_conversations (snoozed_until) where snoozed_until is not null;
