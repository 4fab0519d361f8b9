/** Keys of the questions on the landing page, in order; each has its answer under `<key>_body`. Search engines get the same list. */
export const questions = ['faq_fee', 'faq_refund', 'faq_expire', 'faq_stop', 'faq_data', 'faq_kyc', 'faq_invoice', 'faq_key'] as const
