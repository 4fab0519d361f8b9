export const WORK_KIND_TEXT = {
  suspense: 'kind_suspense',
  invoice: 'kind_invoice',
  identity: 'kind_identity',
  review: 'kind_review',
  refund: 'kind_refund',
  withdrawal: 'kind_withdrawal',
  complaint: 'kind_complaint',
  dispute: 'kind_dispute',
  conversation: 'kind_conversation',
  fault: 'kind_fault',
  approval: 'kind_approval',
  glass: 'kind_glass',
} as const
