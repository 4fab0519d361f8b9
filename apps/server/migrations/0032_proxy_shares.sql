-- What each process of the proxy holds open of a use, so that its limits hold over all of them.
create table proxy_shares (
  use_id text not null,
  node_id text not null,
  tunnels int not null check (tunnels >= 0),
  seen_at timestamptz not null default clock_timestamp(),
  primary key (use_id, node_id)
);
create index proxy_shares_node on proxy_shares (node_id);

grant select, insert, update, delete on proxy_shares to mingxi_app;
