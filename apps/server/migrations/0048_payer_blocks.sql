-- Blocks of who pays, whatever account they pay for: what their ids at channels hash to, under each key of the installation.
do $$
declare
  name text;
begin
  for name in select conname from pg_constraint where conrelid = 'risk_blocks'::regclass and contype = 'c'
    and (pg_get_constraintdef(oid) like '%cardinality(digests)%' or pg_get_constraintdef(oid) like '%mailDomain%') loop
    execute format('alter table risk_blocks drop constraint %I', name);
  end loop;
end $$;
alter table risk_blocks
  add constraint risk_blocks_kind check (kind in ('network','mailDomain','device','payer')),
  add constraint risk_blocks_digests check ((kind in ('device','payer')) = (cardinality(digests) > 0));
