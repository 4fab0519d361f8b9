-- Why tunnels of a use were refused: counts by cause (port, address, unknown, down, limit, spent), and still nothing of where to.
alter table proxy_uses add column refusals jsonb not null default '{}';
