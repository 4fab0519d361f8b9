import type { HistoryEvent, HistoryGroup } from '../../contract-history.ts'

type Group = Exclude<HistoryGroup, 'all'>

/** Audit actions that name the user, and what the history calls them. Others of the account are its owner's housekeeping. */
const EVENTS_ON_USER: Readonly<Record<string, readonly [HistoryEvent, Group]>> = {
  'account.registered': ['registered', 'signIn'],
  'account.login': ['login', 'signIn'],
  'account.login-failed': ['loginFailed', 'signIn'],
  'account.logout': ['logout', 'signIn'],
  'account.session-ended': ['sessionEnded', 'signIn'],
  'account.sessions-ended': ['sessionsEnded', 'signIn'],
  'account.step-up': ['stepUp', 'signIn'],
  'account.password-set': ['passwordSet', 'security'],
  'account.password-changed': ['passwordChanged', 'security'],
  'account.email-verified': ['emailVerified', 'security'],
  'account.email-changed': ['emailChanged', 'security'],
  'account.mobile-changed': ['mobileChanged', 'security'],
  'account.google-linked': ['googleLinked', 'security'],
  'account.secrets-dropped': ['secretsDropped', 'security'],
  'account.pay-password-set': ['payPasswordSet', 'security'],
  'account.pay-password-changed': ['payPasswordChanged', 'security'],
  'account.pay-password-reset': ['payPasswordReset', 'security'],
  'account.pay-password-wrong': ['payPasswordWrong', 'security'],
  'account.pay-password-locked': ['payPasswordLocked', 'security'],
  'account.authenticator-added': ['authenticatorAdded', 'security'],
  'account.authenticator-removed': ['authenticatorRemoved', 'security'],
  'account.passkey-added': ['passkeyAdded', 'security'],
  'account.passkey-removed': ['passkeyRemoved', 'security'],
  'account.recovery-renewed': ['recoveryRenewed', 'security'],
  'account.factors-reset': ['factorsReset', 'security'],
  'account.pay-tries-reset': ['payTriesReset', 'security'],
  'account.viewed': ['viewed', 'access'],
  'account.frozen': ['frozen', 'security'],
  'account.thawed': ['thawed', 'security'],
  'account.payouts-frozen': ['payoutsFrozen', 'security'],
  'account.payouts-thawed': ['payoutsThawed', 'security'],
  'account.calls-frozen': ['callsFrozen', 'security'],
  'account.calls-thawed': ['callsThawed', 'security'],
  'account.login-unlocked': ['loginUnlocked', 'security'],
  'account.exported': ['exported', 'access'],
  'alerts.changed': ['alertsChanged', 'access'],
}

/** Actions that name a thing of the user's, found by who did them. */
const EVENTS_BY_USER: Readonly<Record<string, readonly [HistoryEvent, Group]>> = {
  'key.created': ['keyCreated', 'access'],
  'key.renamed': ['keyRenamed', 'access'],
  'key.limited': ['keyLimited', 'access'],
  'key.rotated': ['keyRotated', 'access'],
  'key.disabled': ['keyDisabled', 'access'],
  'key.enabled': ['keyEnabled', 'access'],
  'key.deleted': ['keyDeleted', 'access'],
}

const filterActions = (events: typeof EVENTS_ON_USER, group: HistoryGroup) =>
  Object.keys(events).filter((action) => group === 'all' || events[action]![1] === group)

/** The audit actions of a group: those that name the user, those found by who did them. */
export function listHistoryActions(group: HistoryGroup): { readonly ofUser: readonly string[]; readonly byUser: readonly string[] } {
  return { ofUser: filterActions(EVENTS_ON_USER, group), byUser: filterActions(EVENTS_BY_USER, group) }
}

export function toHistoryEvent(action: string): HistoryEvent {
  return (EVENTS_ON_USER[action] ?? EVENTS_BY_USER[action])![0]
}
