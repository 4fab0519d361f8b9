/** The company's own store: nothing of it is in the platform's database or folder. */
export const SCHEMA = `
create table if not exists objects (
  seq integer primary key, kind text not null, ref text not null unique, at integer not null,
  card text, link text, visit text, due integer, body text not null
) strict;
create index if not exists objects_card on objects (kind, card, seq);
create index if not exists objects_link on objects (kind, link);
create index if not exists objects_visit on objects (visit, seq) where visit is not null;
create index if not exists objects_at on objects (kind, at, seq);
create index if not exists objects_due on objects (due) where due is not null;
create table if not exists secrets (number text primary key, card text not null unique, cvv text not null) strict;
create table if not exists answers (key text primary key, hash text not null, status integer not null, body text not null) strict;
create table if not exists reveals (nonce text primary key, card text not null, origin text not null, lang text not null, theme text not null, ends integer not null, used integer not null default 0) strict;
create table if not exists facts (name text primary key, value text not null) strict;
create table if not exists notices (
  seq integer primary key, id text not null unique, body text not null, due integer not null, tries integer not null default 0,
  fault text, done integer not null default 0
) strict;
create index if not exists notices_due on notices (due) where done = 0;
create table if not exists balances (account text primary key, minor integer not null) strict;
create table if not exists entries (
  seq integer primary key, at integer not null, debit text not null, credit text not null check (debit <> credit),
  minor integer not null check (minor > 0), what text not null, ref text not null
) strict;
create unique index if not exists entries_once on entries (what, ref);
create trigger if not exists entries_fold after insert on entries begin
  insert into balances values (new.debit, -new.minor) on conflict (account) do update set minor = minor - new.minor;
  insert into balances values (new.credit, new.minor) on conflict (account) do update set minor = minor + new.minor;
end;
create trigger if not exists entries_stay before update on entries begin select raise(abort, 'entries stay'); end;
create trigger if not exists entries_remain before delete on entries begin select raise(abort, 'entries stay'); end;
`
