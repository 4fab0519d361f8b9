-- Gateway: models of more kinds, and prices of more classes than tokens of text. Four follow the ten of before: pictures made
-- (tokens), characters, seconds, searches, each in nano-dollars per million of its unit. Older rows are shorter and stay as they are.
alter table gateway_models drop constraint gateway_models_kind_check;
alter table gateway_models add constraint gateway_models_kind_check
  check (kind in ('chat','embedding','realtime','image','speech','transcription','moderation','rerank'));

alter table gateway_prices drop constraint gateway_prices_classes_check;
alter table gateway_prices add constraint gateway_prices_classes_check
  check (cardinality(classes) between 8 and 14 and classes[1] >= 0 and classes[5] >= 0 and 0 <= all (array_remove(classes, null)));
alter table gateway_prices drop constraint gateway_prices_long_classes_check;
alter table gateway_prices add constraint gateway_prices_long_classes_check
  check (cardinality(long_classes) between 8 and 14 and long_classes[1] >= 0 and long_classes[5] >= 0 and 0 <= all (array_remove(long_classes, null)));
