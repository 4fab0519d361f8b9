import type { Deps } from '#platform/server/feature.ts'
import { sanctions } from '../settings.ts'
import type { ScreenedPerson, Screening } from './port.ts'

const normalize = (text: string) => text.toUpperCase().replace(/[^\p{L}]/gu, '')

/** Checks people against the operator's own list. Another list would replace it here. */
export function createScreening({ settings }: Pick<Deps, 'settings'>): Screening {
  return { isListed: async (person) => isOnList(await settings.get(sanctions), person) }
}

/** True if a person is on the list. A listed birthday must match too; without one the name alone counts, in either order. */
export function isOnList(list: readonly { readonly name: string; readonly birthDate?: string | undefined }[], person: ScreenedPerson): boolean {
  const names = new Set([person.chineseName, `${person.lastName}${person.firstName}`, `${person.firstName}${person.lastName}`].map(normalize).filter(Boolean))
  return list.some(({ name, birthDate }) => names.has(normalize(name)) && (!birthDate || birthDate === person.birthDate))
}
