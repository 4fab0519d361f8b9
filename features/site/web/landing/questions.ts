/** Questions on the landing page in order, each with its answer. Search engines get the same list. */
export const questions = [
  ['faq_fee', 'faq_fee_body'],
  ['faq_refund', 'faq_refund_body'],
  ['faq_expire', 'faq_expire_body'],
  ['faq_stop', 'faq_stop_body'],
  ['faq_data', 'faq_data_body'],
  ['faq_kyc', 'faq_kyc_body'],
  ['faq_invoice', 'faq_invoice_body'],
  ['faq_key', 'faq_key_body'],
] as const
