import type { PlatformConfig } from '#platform/server/config.ts'

type Role = PlatformConfig['ROLES'][number]

/**
 * Resolves the roles that this process runs. In production the sandbox role, with its pages and fake vendors, exists only if a sandbox is
 * allowed by name. Throws if no role is left.
 */
export function resolveRoles({ ROLES, STAGE, ALLOW_SANDBOX }: Pick<PlatformConfig, 'ROLES' | 'STAGE' | 'ALLOW_SANDBOX'>): ReadonlySet<Role> {
  const isClosed = STAGE === 'production' && !ALLOW_SANDBOX.length
  const roles = new Set(ROLES.filter((role) => role !== 'sandbox' || !isClosed))
  if (!roles.size) throw new Error('ROLES=sandbox runs nothing in production: name what may stand in with ALLOW_SANDBOX, or choose other ROLES')
  return roles
}
