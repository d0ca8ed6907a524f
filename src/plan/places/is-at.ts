/** `seed` means every place of every seed, `seed/west` every place of that seed, `gateway` every gateway. */
export function isAt(place: string, wanted: string): boolean {
  const parts = place.split('/');
  const named = (part: string | undefined): boolean => part !== undefined && singular(part) === singular(wanted);
  return place === wanted || place.startsWith(`${wanted}/`) || named(parts.at(-1)) || named(parts[0]);
}
const singular = (word: string): string => word.replace(/s$/, '');
