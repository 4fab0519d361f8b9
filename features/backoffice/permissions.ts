/** Permissions of operators. Each command and endpoint names one of them (apps/server/matrix/operators.db.test.ts); its label is in messages/words.*.json. */
export const OPERATOR_PERMISSIONS = [
  'work.read',
  'audit.read',
  'contacts.reveal',
  'customers.freeze',
  'customers.grant',
  'customers.note',
  'payments.repair',
  'payments.refund',
  'payments.decide',
  'withdrawals.decide',
  'identity.decide',
  'rewards.decide',
  'support.answer',
  'services.work',
  'services.pause',
  'routes.change',
  'settings.change',
  'operators.manage',
  'rules.change',
  'bulks.stop',
  'lists.export',
  'prices.change',
  'customers.view',
  'announcements.make',
  'alarms.answer',
  'alarms.manage',
  'invoices.decide',
  'risk.block',
] as const
export type OperatorPermission = (typeof OPERATOR_PERMISSIONS)[number]

/** Roles: sets of permissions. The auditor reads everything and changes nothing. */
export const OPERATOR_ROLES = {
  owner: OPERATOR_PERMISSIONS,
  finance: [
    'work.read',
    'customers.note',
    'audit.read',
    'contacts.reveal',
    'customers.grant',
    'payments.repair',
    'payments.refund',
    'payments.decide',
    'withdrawals.decide',
    'bulks.stop',
    'lists.export',
    'alarms.answer',
    'invoices.decide',
  ],
  support: [
    'work.read',
    'customers.note',
    'contacts.reveal',
    'customers.freeze',
    'payments.repair',
    'payments.refund',
    'support.answer',
    'bulks.stop',
    'customers.view',
    'announcements.make',
    'alarms.answer',
  ],
  risk: [
    'work.read',
    'customers.note',
    'audit.read',
    'contacts.reveal',
    'customers.freeze',
    'withdrawals.decide',
    'identity.decide',
    'rewards.decide',
    'bulks.stop',
    'lists.export',
    'customers.view',
    'alarms.answer',
    'risk.block',
  ],
  supply: ['work.read', 'routes.change', 'prices.change', 'alarms.answer', 'alarms.manage'],
  serviceDesk: ['work.read', 'customers.note', 'support.answer', 'services.work', 'services.pause', 'alarms.answer'],
  auditor: ['work.read', 'audit.read', 'lists.export'],
} as const satisfies Readonly<Record<string, readonly OperatorPermission[]>>
export type OperatorRole = keyof typeof OPERATOR_ROLES
export const OPERATOR_ROLE_NAMES = Object.keys(OPERATOR_ROLES) as [OperatorRole, ...OperatorRole[]]

/** Permissions granted by a set of roles. */
export function resolvePermissions(roles: readonly string[]): ReadonlySet<string> {
  return new Set(roles.flatMap((role) => (role in OPERATOR_ROLES ? OPERATOR_ROLES[role as OperatorRole] : [])))
}
