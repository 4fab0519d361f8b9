import type { InjectedFault } from '../fault.ts'

const CODES = 'features/account/server/codes/codes.db.test.ts'
const EVERYWHERE = 'features/account/server/codes/codes-everywhere.db.test.ts'

export const accountFaults: readonly InjectedFault[] = [
  {
    id: 'unknown-users-answered-at-once',
    feature: 'account',
    file: 'features/account/server/passwords/passwords.ts',
    find: '  const right = await verify(stored ?? (await preparePasswords()), password)\n  return right && stored !== undefined',
    put: '  return stored !== undefined && (await verify(stored, password))',
    harm: 'the time of an answer tells who has an account',
    tests: ['features/account/server/sign-in/enumeration.db.test.ts'],
  },
  {
    id: 'parallel-guesses-slip-past',
    feature: 'account',
    file: 'features/account/server/codes/data.ts',
    find: 'and case when asker = any($7::bytea[]) then guesses else strange_guesses end < $6',
    put: 'and (select case when c.asker = any($7::bytea[]) then c.guesses else c.strange_guesses end from account_codes c where c.purpose = $1 and c.kind = $2 and c.target = $3) < $6',
    harm: 'of guesses sent at once each one is compared: a code is found within a day',
    tests: [CODES],
  },
  {
    id: 'guesses-at-closing-not-counted',
    feature: 'account',
    file: 'features/account/server/leaving/delete-account.ts',
    find: "'deleteAccount', code: verifyCode, rules }))) return false",
    put: "'deleteAccount', code: verifyCode, rules }))) fail('CODE_WRONG')",
    harm: 'the refusal undoes its own count: an intruder at an open session keeps guessing until the account is closed',
    tests: [EVERYWHERE],
  },
  {
    id: 'codes-belong-to-nobody',
    feature: 'account',
    file: 'features/account/server/sessions/tokens.ts',
    find: "return computeKeyedHash(secretKey, 'account.code', purpose, kind, target, owner, code)",
    put: "return computeKeyedHash(secretKey, 'account.code', purpose, kind, target, owner && 'own', code)",
    harm: 'a code that one user asked for serves another one who knows the mailbox',
    tests: [EVERYWHERE],
  },
  {
    id: 'google-joins-an-unproven-mailbox',
    feature: 'account',
    file: 'features/account/server/sign-in/google-login.ts',
    find: 'owner && (owner.verifiedAt ? owner : await claimUnproven(ctx, tx, { account: owner, email }))',
    put: 'owner && (owner.verifiedAt || owner.passwordHash ? owner : await claimUnproven(ctx, tx, { account: owner, email }))',
    harm: 'who typed in a stranger’s e-mail beforehand keeps a password to the stranger’s account',
    tests: ['features/account/server/sign-in/google.db.test.ts'],
  },
  {
    id: 'ended-session-still-listed',
    feature: 'account',
    file: 'features/account/web/page/sessions-section.tsx',
    find: 'await cache.invalidateQueries({ queryKey: KEY })',
    put: "await cache.invalidateQueries({ queryKey: ['account', 'session'] })",
    harm: 'a customer ends a stranger’s session, and the page keeps showing it',
    tests: ['e2e/journeys/account.test.ts'],
  },
]
