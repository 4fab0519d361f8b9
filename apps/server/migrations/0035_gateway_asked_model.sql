-- Gateway: a retired model's calls are answered by its successor for a while. Their rows name the model that was asked; on others
-- the column stays empty, and writers do not send it.
alter table gateway_usage add column asked_model text not null default '';
alter table gateway_calls add column asked_model text not null default '';
