-- What we have at suppliers and channels, and how long certificates last: what was read last, and the balance's way there.

create table backoffice_balances (
  -- `numbers:five-sim`, and the currency where one keeps several.
  source text not null check (length(source) between 1 and 80),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_nano bigint not null,
  read_at timestamptz not null,
  primary key (source, currency)
);

create table backoffice_balance_reads (
  source text primary key,
  -- The last look, and since when looks fail.
  looked_at timestamptz not null,
  failing_since timestamptz,
  problem text check (length(problem) <= 200),
  check ((failing_since is null) = (problem is null))
);

-- One point an hour, and whatever changed.
create table backoffice_balance_points (
  source text not null,
  currency text not null,
  at timestamptz not null,
  amount_nano bigint not null,
  primary key (source, currency, at)
);

create table backoffice_certificates (
  name text primary key check (length(name) between 1 and 253),
  expires_at timestamptz,
  issuer text not null default '' check (length(issuer) <= 200),
  looked_at timestamptz not null,
  failing_since timestamptz,
  problem text check (length(problem) <= 200),
  check ((failing_since is null) = (problem is null))
);
