-- The one key that a member's own base URL goes with (`apiForwards`): rotated in place, so a client changes two values and keeps its limits.

create table gateway_forwards (
  user_id text primary key,
  key_id text not null unique references gateway_keys (key_id),
  made_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on gateway_forwards to mingxi_app;
