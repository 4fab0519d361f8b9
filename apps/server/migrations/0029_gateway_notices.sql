-- Who was told by mail that a model they used ends, so that nobody is told twice.
create table gateway_model_notices (
  model_id text not null references gateway_models,
  user_id text not null,
  told_at timestamptz not null default now(),
  primary key (model_id, user_id)
);
