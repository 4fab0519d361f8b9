-- folds 0075_number_messages.sql (release 0.1)

-- Processes that run remote browsers: their address, capacity and last heartbeat. Without one, nothing is sold.
create table remote_nodes (
  id text primary key,
  -- Address of the process for customers' pages; '' for the site's own address.
  url text not null default '',
  places int not null check (places between 0 and 1000),
  seen_at timestamptz not null,
  -- Why no browser starts there, for operators; '' where they start.
  refusal text not null default ''
);
