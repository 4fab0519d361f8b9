import { lazy, type ComponentType } from 'react'

/**
 * A part that its page can do without: loaded by itself, and left out where its code does not come. What only the absence of a
 * network prevented comes when the network is back.
 */
export function lazyExtra<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(async () => ({ default: await loadInTime(load).catch((): ComponentType<P> => Nothing) }))
}

export async function loadInTime<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (navigator.onLine) throw error
    await new Promise((back) => addEventListener('online', back, { once: true }))
    return load()
  }
}

function Nothing() {
  return null
}
