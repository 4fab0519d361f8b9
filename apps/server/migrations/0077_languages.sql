-- The program lists its languages (platform/shared/languages.ts), so that a new one needs no migration. The checks keep the form of a tag.
alter table account_users drop constraint account_users_language_check,
  add constraint account_users_language_check check (language ~ '^[a-z]{2,3}(-[A-Za-z]{2,8})?$');
alter table payments_papers drop constraint payments_papers_lang_check,
  add constraint payments_papers_lang_check check (lang ~ '^[a-z]{2,3}(-[A-Za-z]{2,8})?$');
alter table payments_invoice_requests drop constraint payments_invoice_requests_lang_check,
  add constraint payments_invoice_requests_lang_check check (lang ~ '^[a-z]{2,3}(-[A-Za-z]{2,8})?$');
alter table payments_auto_consents drop constraint payments_auto_consents_lang_check,
  add constraint payments_auto_consents_lang_check check (lang ~ '^[a-z]{2,3}(-[A-Za-z]{2,8})?$');
alter table support_conversations drop constraint support_conversations_lang_check,
  add constraint support_conversations_lang_check check (lang ~ '^[a-z]{2,3}(-[A-Za-z]{2,8})?$');
alter table support_complaints drop constraint support_complaints_lang_check,
  add constraint support_complaints_lang_check check (lang ~ '^[a-z]{2,3}(-[A-Za-z]{2,8})?$');
alter table site_help_votes drop constraint site_help_votes_language_check,
  add constraint site_help_votes_language_check check (language ~ '^[a-z]{2,3}(-[A-Za-z]{2,8})?$');
