/** Texts about where things are. */
export const en = {
  more: (count: number) =>
    `And ${count === 1 ? 'one more' : `${count} more`}. Each card has the ten that are nearest to the partner at which it was issued, or else the first ten.`,
  addList: 'Add from a list',
  list: 'One place on each line',
  listHint:
    'Latitude, longitude and the text on the lock screen, with commas, semicolons or tabs between them: 52.5200, 13.4050, A coffee is near.',
  submit: 'Add places',
  removeAll: 'Remove all',
  wrongLine: (line: number) =>
    `Line ${line} is not a latitude and a longitude, such as 52.5200, 13.4050, My shop.`,
  longLine: (line: number) => `The text in line ${line} is longer than 200 characters.`,
  tooMany: (count: number, room: number) =>
    room === 0
      ? 'The pass has 1,000 places already. Remove some first.'
      : `These are ${count} places, and the pass has room for ${room}.`,
  wrongPoint: 'Write latitude and longitude, such as 52.5200, 13.4050.',
};
