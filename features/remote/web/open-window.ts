import { remoteApi } from './remote-api.ts'

/** At a supplier: the window opens within the press, or a browser would hold it back; the address comes after. */
export async function openSupplierWindow(): Promise<void> {
  const shown = window.open('about:blank', '_blank')
  try {
    const { url } = await remoteApi.kasmOpen({})
    if (!shown) return void location.assign(url)
    shown.opener = null
    shown.location.replace(url)
  } catch (error) {
    shown?.close()
    throw error
  }
}
