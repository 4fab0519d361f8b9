import type { PlatformConfig, SettingProblem } from '#platform/server/config.ts'
import { hasEmbeddedPostgres } from '#platform/server/database/postgres-programs.ts'
import { findMissingSecretKey } from '#platform/server/sealing/installation-key.ts'
import { features } from './features.ts'
import { resolveRoles } from './roles.ts'

/** Checks the settings of `--migrate`, which needs a database address with the owner's rights. */
export function findMigrationProblems({ DATABASE_URL }: Partial<PlatformConfig>): SettingProblem[] {
  return DATABASE_URL ? [] : [{ setting: 'DATABASE_URL', problem: 'address of the database, postgres://…, of the user who owns the tables' }]
}

/** Finds missing settings that the chosen roles require, of the platform and of every feature. */
export function findMissingSettings(config: Partial<PlatformConfig>): SettingProblem[] {
  const { STAGE, ROLES, ALLOW_SANDBOX } = config
  const problems: SettingProblem[] = []
  if (STAGE === 'production' && !config.PUBLIC_URL)
    problems.push({ setting: 'PUBLIC_URL', problem: 'https address of the site, which mails, payments and pages lead to' })
  if (!config.DATABASE_URL && !hasEmbeddedPostgres())
    problems.push({ setting: 'DATABASE_URL', problem: 'address of a PostgreSQL, postgres://…; a release has no PostgreSQL of its own' })
  problems.push(...findMissingSecretKey(config))
  // Without these settings no further check is possible.
  if (!STAGE || !ROLES || !ALLOW_SANDBOX) return problems
  try {
    const roles = resolveRoles({ STAGE, ROLES, ALLOW_SANDBOX })
    const tests = features
      .flatMap(({ suppliers }) => suppliers ?? [])
      .flatMap(({ findTestProblems }) => findTestProblems?.({ ...config, STAGE, ALLOW_SANDBOX }) ?? [])
    return [...problems, ...tests, ...features.flatMap(({ missing }) => missing?.(config as Parameters<typeof missing>[0], roles) ?? [])]
  } catch (error) {
    return [...problems, { setting: 'ROLES', problem: (error as Error).message }]
  }
}
