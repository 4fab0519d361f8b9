-- folds 0075_number_messages.sql (release 0.1)

-- Conversations with customers, complaints.

-- Whose it is: a user's, or a visitor's who holds the link (`visitor_id` with a signature that is stored nowhere).
create table support_conversations (
  id text primary key,
  user_id text,
  visitor_id text,
  visitor_email text,
  -- The browser's id for this conversation before it had one of ours: creating it twice creates it once.
  start_id text not null unique,
  start_hash bytea not null check (length(start_hash) = 32),
  lang text not null check (lang in ('zh','en')),
  topic text not null,
  order_no text,
  -- open: our answer is due; waiting: the last message is ours; closed: until a new message arrives.
  state text not null default 'open' check (state in ('open','waiting','closed')),
  last_seq int not null default 0,
  -- One more with every change that a page shows.
  version int not null default 1,
  user_read_seq int not null default 0,
  operator_read_seq int not null default 0,
  -- When a mail is due, and what the last one told.
  user_mail_at timestamptz,
  user_mailed_at timestamptz,
  user_mailed_seq int not null default 0,
  operator_mail_at timestamptz,
  operator_mailed_at timestamptz,
  operator_mailed_seq int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Order in the inbox: 0 urgent, 1 high, 2 normal.
  priority smallint not null default 2 check (priority between 0 and 2),
  -- Sleeps until then, or until its customer writes.
  snoozed_until timestamptz,
  snoozed_by text,
  check ((user_id is null) <> (visitor_id is null)),
  check ((visitor_id is null) = (visitor_email is null)),
  check (user_read_seq <= last_seq and operator_read_seq <= last_seq),
  check ((snoozed_until is null) = (snoozed_by is null)),
  check (snoozed_until is null or state <> 'closed')
);
create index support_conversations_user on support_conversations (user_id, updated_at desc) where user_id is not null;
create index support_conversations_visitor on support_conversations (visitor_id, updated_at desc) where visitor_id is not null;
create index support_conversations_state on support_conversations (state, updated_at desc);
create index support_conversations_user_mail on support_conversations (user_mail_at) where user_mail_at is not null;
create index support_conversations_operator_mail on support_conversations (operator_mail_at) where operator_mail_at is not null;
create index support_conversations_inbox on support_conversations (state, priority, updated_at, id);
create index support_conversations_snoozed on support_conversations (snoozed_until) where snoozed_until is not null;

-- Numbered without a gap in the order of their commits: `seq` is given while the conversation's row is locked.
create table support_messages (
  conversation_id text not null references support_conversations on delete cascade,
  seq int not null check (seq > 0),
  author text not null check (author in ('user','operator','system')),
  client_id text,
  operator_id text,
  -- Event of a system message; the reader's language chooses its text.
  event text check (event in ('order','closed','reopened')),
  detail text not null default '' check (length(detail) <= 200),
  text text not null default '' check (length(text) <= 4000),
  at timestamptz not null,
  primary key (conversation_id, seq),
  check ((author = 'system') = (event is not null))
);
create unique index support_messages_client on support_messages (conversation_id, author, client_id) where client_id is not null;

create table support_complaints (
  id text primary key,
  user_id text,
  email text not null,
  content text not null check (length(content) between 1 and 4000),
  order_no text,
  lang text not null check (lang in ('zh','en')),
  state text not null default 'open' check (state in ('open','closed')),
  created_at timestamptz not null,
  -- Answer, its operator and time.
  answer text check (length(answer) between 1 and 4000),
  answered_by text,
  closed_at timestamptz,
  check ((answer is null) = (answered_by is null) and (answer is null or state = 'closed'))
);
create index support_complaints_user on support_complaints (user_id) where user_id is not null;
create index support_complaints_age on support_complaints (created_at);
create index support_complaints_open on support_complaints (created_at) where state = 'open';
