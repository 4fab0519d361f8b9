export const SUPPORT_PRIORITY_TEXT = { high: 'priority_high', urgent: 'priority_urgent', normal: 'priority_normal' } as const

export const SUPPORT_VIEW_TEXT = { waiting: 'view_waiting', open: 'view_open', closed: 'view_closed', snoozed: 'view_snoozed' } as const
