import { expect, test } from 'vitest'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { startConsoleServer } from '../console-server.ts'
import { checkPseudoPage, toPseudoUrl } from './pseudo-page.ts'

// The pseudo-language (`?pseudo=1`) on every screen of the operators' app, with the demo data.
const { origin, deps, at } = await startConsoleServer({ demo: true })
/** Rows of the audit that join names and values, ids behind the name of their kind, and a conversation of the demo data. */
const DATA = [/\w · \w/, /^Over channels \d/, /^[A-Z][a-z]+( request)? (\w+_\w+|IR-\S+|sandbox)$/, 'Do you issue invoices']
/** Descriptions of settings are in the code of the server, in English. */
const SERVER_ENGLISH = ['/settings']
const PATHS = `Object.keys(__TSR_ROUTER__.routesByPath).filter((path) => !path.includes('$') && path !== '/invite')`

test.each([1440, 414] as const)('screens at %i', async (width) => {
  const { page, context, problems } = await at({ width, lang: 'en', theme: 'light' }, await anOperator(deps, ['owner'], { name: 'Chen Yu' }))
  await page.goto(origin)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const paths = await page.evaluate<string[]>(PATHS)
  expect(paths.length).toBeGreaterThan(20)
  for (const path of paths) {
    await page.goto(toPseudoUrl(origin + path))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await checkPseudoPage(page, `console${path}`, SERVER_ENGLISH.includes(path) ? [/./] : DATA)
  }
  expect(problems).toEqual([])
  await context.close()
})
