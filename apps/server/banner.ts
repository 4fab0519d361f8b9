import type { PlatformConfig } from '#platform/server/config.ts'

export interface DemoAccount {
  readonly email: string
  readonly password: string
  /** Demo customer with two cards. */
  readonly cardsEmail: string
  /** Demo owner and one other operator. */
  readonly operators: readonly [string, string]
  readonly apiKey: string | undefined
  readonly model: string
}

interface StartedServer {
  /** URL of the operators' app, if this process serves it. */
  consoleUrl: string | undefined
  siteUrl: string
  config: PlatformConfig
  roles: ReadonlySet<string>
  demo: DemoAccount | undefined
  ms: number
  databaseUrl: string
}

/** Prints the addresses and the demo logins after `npm start`. Prints no secrets but the demo's. */
export function printBanner({ siteUrl, consoleUrl, config, roles, demo, ms, databaseUrl }: StartedServer): void {
  const base = siteUrl
  const lines = ['', `  ${config.BRAND_NAME} ${config.BRAND_NAME_ZH}  ready in ${(ms / 1000).toFixed(1)} s  roles: ${[...roles].join(', ')}`, '']
  if (roles.has('api')) lines.push(`  Site      ${base}/`, `  Console   ${base}/api`, `  Calls     ${base}/docs/openapi`)
  if (roles.has('sandbox')) lines.push(`  Sandbox   ${base}/sandbox        (mails, payments, faults; a shop for its cards)`)
  if (consoleUrl) lines.push(`  Operators ${consoleUrl}/`)
  lines.push(`  Database  ${databaseUrl.replace(/:[^:@/]*@/, ':***@')}`)
  if (demo) {
    lines.push('', `  Demo      ${demo.email}  password ${demo.password}`, `  Cards     ${demo.cardsEmail}  the same password`)
    if (consoleUrl)
      lines.push(
        `  Operators ${demo.operators[0]} (owner), ${demo.operators[1]} (finance, support)  the same password; codes at ${base}/sandbox?panel=operators`,
      )
    if (demo.apiKey)
      lines.push(
        '',
        `  curl ${base}/v1/chat/completions \\`,
        `    -H 'Authorization: Bearer ${demo.apiKey}' -H 'Content-Type: application/json' \\`,
        `    -d '{"model":"${demo.model}","messages":[{"role":"user","content":"你好"}]}'`,
      )
  }
  console.log(`${lines.join('\n')}\n`)
}
