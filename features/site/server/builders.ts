import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { landingSetting, logosSetting, reviewsSetting } from './settings.ts'
import type { Lang } from '#platform/shared/languages.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'

interface SampleReview {
  readonly name: string
  readonly text: string
  readonly role: string
}

const readSampleReviews = (lang: Lang): readonly SampleReview[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'samples', `${lang}.json`), 'utf8')) as readonly SampleReview[]

/** Adds invented reviews and company names to the member landing page, each marked as a sample. For the demo and tests. */
export async function addSampleContent(deps: Pick<Deps, 'db' | 'settings'>, landing?: 'api' | 'member'): Promise<void> {
  const samples = mapLangs(readSampleReviews)
  const reviews = samples[DEFAULT_LANG].map(({ name }, at) => ({
    name,
    text: mapLangs((lang) => samples[lang][at]!.text),
    role: mapLangs((lang) => samples[lang][at]!.role),
    sample: true,
  }))
  const logos = ['Northwind', 'Contoso', 'Fabrikam', 'Tailspin', 'Litware', 'Proseware'].map((name) => ({ name, sample: true }))
  await transact(deps.db, SYSTEM, async (tx) => {
    await deps.settings.set(tx, reviewsSetting, reviews)
    await deps.settings.set(tx, logosSetting, logos)
    if (landing) await deps.settings.set(tx, landingSetting, landing)
  })
}
