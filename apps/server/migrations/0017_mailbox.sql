-- folds 0075_number_messages.sql (release 0.1)

-- Mailboxes that we receive for ourselves. Order, money and time are the services' (services_tasks). Mails are sealed under a key of
-- their user's own: with its row gone none can be read again.

create table mailbox_keys (
  user_id text primary key,
  sealed_key bytea not null
);

create table mailbox_boxes (
  task_id text primary key,
  user_id text not null,
  address text not null check (address ~ '^[a-z0-9]{5,12}@[a-z0-9.-]{3,200}$'),
  password_hash text,
  failures int not null default 0,
  locked_until timestamptz,
  -- Changes with every mail and every mark: what a page waits for.
  version int not null default 0,
  mails int not null default 0 check (mails >= 0),
  bytes bigint not null default 0 check (bytes >= 0),
  created_at timestamptz not null default clock_timestamp(),
  -- Takes mail no more; what was there is gone.
  wiped_at timestamptz,
  -- The mailbox never accepted mail: its name is free again.
  released boolean not null default false
);
-- A name belongs to its first owner for ever: later mail must not reach another user.
create unique index mailbox_boxes_address on mailbox_boxes (address) where not released;
create index mailbox_boxes_user on mailbox_boxes (user_id, created_at desc);

create table mailbox_messages (
  id text primary key,
  task_id text not null references mailbox_boxes,
  user_id text not null,
  -- Of the mail as it came: sent again after a lost answer, it is one.
  digest bytea not null,
  bytes int not null,
  received_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  -- Sender, subject, words.
  sealed bytea not null,
  unique (task_id, digest)
);
create index mailbox_messages_box on mailbox_messages (task_id, received_at desc);

create table mailbox_files (
  id text primary key,
  message_id text not null references mailbox_messages on delete cascade,
  user_id text not null,
  place int not null,
  bytes int not null,
  name bytea not null,
  sealed bytea not null
);
create index mailbox_files_message on mailbox_files (message_id, place);

-- Which sessions have shown the password, and until when.
create table mailbox_openings (
  task_id text not null,
  session_id text not null,
  until timestamptz not null,
  primary key (task_id, session_id)
);

-- The processes that receive mail, each seen every few seconds.
create table mailbox_receivers (
  node text primary key,
  port int not null,
  seen_at timestamptz not null default clock_timestamp()
);
