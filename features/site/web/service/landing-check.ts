import { notFound } from '@tanstack/react-router'
import { landings } from '../services.ts'

/** Only services of the kit have a landing page here. */
export function checkLanding(id: string): void {
  if (!landings.some((service) => service.id === id)) throw notFound()
}
