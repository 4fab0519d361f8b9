import type { PlatformConfig } from '#platform/server/config.ts'

type Role = PlatformConfig['ROLES'][number]

/**
 * The parts this process runs. Without a sandbox that is allowed by name, production has no sandbox role: its pages and its
 * stand-in for the vendors are not there. Throws where nothing is left to run.
 */
export function resolveRoles({ ROLES, STAGE, ALLOW_SANDBOX }: Pick<PlatformConfig, 'ROLES' | 'STAGE' | 'ALLOW_SANDBOX'>): ReadonlySet<Role> {
  const isClosed = STAGE === 'production' && !ALLOW_SANDBOX.length
  const roles = new Set(ROLES.filter((role) => role !== 'sandbox' || !isClosed))
  if (!roles.size) throw new Error('ROLES=sandbox runs nothing in production: name what may stand in with ALLOW_SANDBOX, or choose other ROLES')
  return roles
}
