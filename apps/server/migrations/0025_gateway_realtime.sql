-- Models that are talked to over a socket, and two price classes more: cached speech and cached pictures.

alter table gateway_models drop constraint gateway_models_kind_check;
alter table gateway_models add constraint gateway_models_kind_check check (kind in ('chat','embedding','realtime'));

alter table gateway_prices drop constraint gateway_prices_classes_check;
alter table gateway_prices add constraint gateway_prices_classes_check
  check (cardinality(classes) between 8 and 10 and classes[1] >= 0 and classes[5] >= 0 and 0 <= all (array_remove(classes, null)));
alter table gateway_prices drop constraint gateway_prices_long_classes_check;
alter table gateway_prices add constraint gateway_prices_long_classes_check
  check (cardinality(long_classes) between 8 and 10 and long_classes[1] >= 0 and long_classes[5] >= 0 and 0 <= all (array_remove(long_classes, null)));
