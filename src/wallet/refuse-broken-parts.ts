/** Throws an Error that names the property and the fix where a colour is none that all wallets take. */
export function refuseBrokenColor(property: string, hex: string): void {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) {
    throw new Error(`${property} is ${JSON.stringify(hex)}; give a colour as #rrggbb, such as #1a2b3c.`);
  }
}

/** The same for places, in degrees. */
export function refuseBrokenLocations(
  locations: readonly { readonly latitude: number; readonly longitude: number }[],
): void {
  for (const { latitude, longitude } of locations) {
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
      throw new Error(
        `The location ${latitude}, ${longitude} is not on Earth; latitude is -90 to 90, longitude -180 to 180.`,
      );
    }
  }
}
