import { lines, type SkillText } from './texts.js';

/** The skills of `texts.ts` described as published skills are: what each does, and when to use it. */
const LONG = `
csv-total | Totals the numbers of one column in a CSV file or spreadsheet export. Use this skill whenever the user asks for a sum, a grand total, or how much was spent, earned or paid in total according to a .csv file, even if they do not say "column".
csv-group | Groups the rows of a CSV by a category column and aggregates each group. Use when the user wants subtotals, a pivot table, a breakdown per region, country, product or department, or revenue by category out of a sheet.
csv-join | Joins two CSV files on a common key column, like a lookup between database tables. Use when the user wants to merge, match, enrich or combine two files, such as orders with their customers, on an id they share.
csv-dedupe | Removes duplicate rows from a CSV and keeps the first of each. Use when rows, lines or records appear twice, are repeated or identical, or when the user wants to clean up a contact list or an export.
csv-to-json | Converts a CSV table or spreadsheet to a JSON array of objects with the header as keys. Use when comma separated rows should become JSON records, for an API, a script or an import.
json-repair | Repairs broken or malformed JSON: missing quotes, trailing or dangling commas, cut-off brackets, half an object. Use when a document does not parse, when a model returned invalid JSON, or when a parser reports a syntax error.
json-format | Pretty prints JSON with indentation so that people can read it, or minifies it to one line. Use for formatting, indenting, beautifying or compacting a JSON document that is valid.
json-diff | Compares two JSON documents and lists added, removed and changed paths with both values. Use when the user asks what differs or changed between two configurations, settings, responses or environments in JSON.
json-path | Extracts or reads values from JSON by a path expression such as items[0].price. Use when the user needs one field, every email, all prices or ids, or a nested value out of a JSON response.
json-schema | Infers a JSON Schema from example documents or payloads. Use to derive, generate or write a schema that describes JSON samples, with types and required fields.
date-diff | Counts the days, weeks or months between two dates. Use for questions such as how long until a deadline, how many days remain, how long ago something was, or the time between a start and an end date.
date-add | Adds days, weeks or months to a date or subtracts them, with month ends and leap years handled. Use when the user asks which date is some days from today, after or before a date, for due dates and notice periods.
date-parse | Parses dates written in many formats and normalises them to ISO 8601. Use when a column mixes formats, when dates must become uniform, or to turn "March 3rd" or 1/2/24 into year-month-day.
business-days | Counts working days between dates, without weekends and public holidays. Use for delivery times, service levels, work days left until a release, or when the user says business days or weekdays.
time-zone | Converts a time from one time zone or city to another, with daylight saving time. Use when the user schedules a call across countries, or asks what time it is in Tokyo, London or New York when it is noon elsewhere.
unit-length | Converts lengths and distances between units: metres, centimetres, kilometres, feet, foot, inches, yards and miles. Use when the user gives a height or a length in one unit and wants another one.
unit-weight | Converts weights and masses: kilograms, grams, pounds, ounces, stone. Use when the user asks how heavy something is in another unit, or for ingredients of a recipe by weight.
unit-temperature | Converts temperatures between Celsius, Fahrenheit and Kelvin. Use for oven settings, the weather of other countries or laboratory values in degrees, also written as 375 F or 20 °C.
unit-volume | Converts volumes: litres, millilitres (ml), gallons, cups, tablespoons, teaspoons, fluid ounces. Use for recipes, tanks and bottles when the user needs the same amount in another unit.
unit-data | Converts sizes of data: bytes, kilobytes, megabytes (MB), gigabytes (GB), mebibytes and gibibytes (GiB). Use when the user compares file sizes or storage, or mixes powers of 1000 and 1024.
text-diff | Shows the differences between two versions of a text line by line. Use when the user asks what was changed between two drafts, letters or files, or wants a diff of an old and a new version.
text-wrap | Wraps or reflows long lines of text at a column width. Use when lines are too long, when a paragraph, an email or a commit message must break at 72 or 80 characters.
text-slug | Makes a URL slug from a title or headline: lowercase words with hyphens. Use when the user needs a nice, readable address for an article, a post or a page.
text-case | Changes identifiers between camelCase, snake_case, kebab-case and PascalCase. Use to rename variables, functions or keys to the convention of another programming language such as Python or JavaScript.
text-redact | Masks personal data in text: email addresses, phone numbers and card numbers. Use before a log, a chat, a transcript or a support ticket is shared or archived, when the user says redact, hide, anonymise or remove private data.
extract-emails | Extracts all email addresses from a text, a page or a document. Use to collect, list or pull contact addresses out of threads, pages and signatures.
extract-urls | Extracts all links, hyperlinks and URLs from a text or HTML page. Use when the user wants to list, collect or find every link that an article or a document mentions.
extract-phones | Extracts phone numbers from a text and formats them as E.164. Use to find or get telephone numbers out of a letter, a flyer or a signature and to normalise them.
extract-dates | Finds all dates that a text mentions, with their position. Use when the user asks which dates, days or deadlines appear in a contract, an agreement, a letter or an agenda.
extract-amounts | Finds amounts of money with their currency in a text. Use when the user wants all prices, sums or fees that a contract, an offer or an email names.
stats-mean | Computes the mean, the median and the mode of a list of numbers. Use when the user asks for an average, a typical value or the middle of measurements, ratings or scores.
stats-spread | Computes the variance, the standard deviation and the range of numbers. Use when the user asks how much values vary, scatter or deviate around the mean.
stats-percentile | Computes percentiles, quantiles and quartiles of numbers, such as p95 latency. Use for response times, load times and scores, when the user asks below which value 90 or 99 percent stay.
stats-correlation | Computes the correlation between two series of numbers (Pearson or Spearman). Use when the user asks whether two things are correlated, depend on each other or move together, and how strongly.
stats-regression | Fits a straight line to data points by least squares and returns slope, intercept and R squared. Use for a linear trend, a best fit or trend line through points or monthly values.
markdown-table | Renders rows as a Markdown table with aligned columns. Use when results or numbers should become a table for a README, a GitHub issue or a pull request.
markdown-toc | Builds a table of contents from the headings of a Markdown document, with anchors. Use when the user wants an outline, an index of headings or links to the sections of a long docs page or README.
markdown-to-html | Renders Markdown as HTML. Use to convert notes, a README.md or a post to a web page for a website.
html-to-text | Strips the tags from HTML and returns readable plain text. Use when the user has the source of a web page or an HTML email and wants only its text.
html-table | Extracts or scrapes the tables of an HTML web page as rows. Use to get a price list, rankings or other tabular data out of a page.
url-parse | Splits a URL into host, path, query parameters and fragment. Use when the user asks which parameters, such as utm tags, a link or an address has, or which host it points to.
url-encode | Percent-encodes text for URLs or decodes it. Use to make a string safe for a query string, to escape spaces and ampersands, or to decode %20 and similar.
base64 | Encodes text or files as Base64 and decodes them. Use when the user has a string that ends with = or ==, a data URI, or asks what an encoded text says.
hash-text | Computes a checksum, digest or fingerprint of a text: SHA-256, SHA-1, MD5. Use when the user wants to hash a string or to compare a file with a published checksum.
uuid-make | Generates random UUIDs (version 4). Use whenever unique identifiers, GUIDs or ids are needed for rows, records or tests.
currency-convert | Converts an amount of money between currencies with given exchange rates. Use for dollars, euros, pounds, yen and others, when the user asks what a price or an invoice is in another currency.
interest-compound | Computes compound interest and the final balance of savings or a deposit. Use when the user asks how much money will grow to after some years at a rate of interest.
loan-payment | Computes the monthly payment and the amortisation schedule of a loan or mortgage. Use when the user borrows money and asks what to pay per month for so many years.
vat-split | Splits a gross price into net amount and VAT, or adds VAT to a net price. Use for value added tax, sales tax, prices with or without tax, at 19 or 20 percent.
invoice-check | Checks that the lines, the VAT and the total of an invoice or bill add up. Use when the user wants to verify sums before paying, or suspects that an invoice is wrong.
iban-check | Validates an IBAN by its checksum and the length for its country. Use when the user asks whether a bank account number such as DE89… is valid or real.
card-check | Validates a credit card number by the Luhn checksum and names its brand. Use when the user asks whether a card number could be a real Visa, Mastercard or other card.
isbn-check | Validates ISBN-10 and ISBN-13 numbers of books. Use when the user checks the number of a book, its check digit, or its length.
ean-check | Validates EAN and UPC barcodes of products by their check digit. Use when the user asks whether a barcode or an article number of a product is correct.
email-check | Checks the syntax of an email address and suggests corrections of mistyped domains such as gmial.com. Use when the user asks whether an address is valid or written correctly.
sql-format | Formats SQL queries with line breaks, indentation and upper-case keywords. Use to tidy up a long SELECT statement so that people can read it.
sql-explain | Explains in plain words what a SQL query does, with its joins, filters and groups. Use when the user does not understand a statement or asks what is selected.
sql-params | Replaces literals in a SQL query by parameters or placeholders, so that it is safe against injection. Use when values in a WHERE clause should become bind variables of a prepared statement.
sql-ddl | Writes CREATE TABLE statements from sample rows or a schema. Use when the user needs a table definition to store records in Postgres, MySQL or SQLite.
sql-merge | Writes an upsert or MERGE statement for rows with a key. Use when rows should be inserted, or updated if the id exists already.
regex-explain | Explains a regular expression piece by piece. Use when the user asks what a regex or a pattern means, matches, or why it does not match.
regex-make | Writes a regular expression that matches given examples and rejects others. Use when the user needs a regex or a pattern that accepts order numbers, codes or names.
cron-explain | Explains a cron expression in words and lists its next runs. Use when the user shows a crontab line and asks what it means or when the job runs.
cron-make | Writes a cron expression for a schedule given in words. Use when a job or a backup must run every night, each weekday or on the first of the month and the user needs the crontab entry.
glob-match | Tests which paths match a glob pattern such as src/**/*.ts. Use when the user asks which files a pattern, an ignore rule or an include covers.
log-levels | Counts the lines of a log per level: error, warning, info, debug. Use when the user asks how many errors or warnings a log file contains.
log-slow | Finds the slowest requests in an access log of a web server such as nginx. Use when the user asks which endpoints or pages take longest, for a top ten of slow requests.
log-errors | Groups the error messages of a log by their template and counts them. Use when the user asks for the most frequent failures or which errors repeat in a log file.
stack-trace | Parses a stack trace or traceback to the file, line and function of each frame. Use when the user pastes an exception or a crash and asks where in the code it happened.
log-sessions | Splits an access log into user sessions or visits by idle time. Use when the user asks how many sessions or visits there were, with a pause of 30 minutes between them.
semver-compare | Compares semantic versions and sorts them. Use when the user asks which version is newer, older, or the latest, such as 1.10.0 or 1.9.3.
semver-range | Tests which versions satisfy a range such as ^1.2 or >=2 <3. Use when the user asks whether a version is allowed by a range in package.json.
changelog-make | Writes release notes or a changelog from commit messages, grouped by type. Use to summarise the commits since the last version or tag for users.
license-detect | Detects the open source licence of a file or text, such as MIT, GPL or Apache-2.0. Use when the user asks under which license code may be used.
deps-outdated | Lists the dependencies of a package.json that have newer versions. Use when the user asks which npm packages or libraries are outdated, lag behind or need an upgrade.
color-convert | Converts colours between hex, RGB and HSL. Use when the user has a colour such as #ff8800 and needs it in another notation for CSS or design.
color-contrast | Computes the WCAG contrast ratio of two colours. Use for accessibility, when the user asks whether text in one colour can be read on a background of another.
color-palette | Generates a palette of lighter tints and darker shades from one base colour. Use when the user needs a colour scheme or variants of a brand colour.
image-size | Reads the width and height of an image from the header of PNG, JPEG, GIF or WebP data. Use when the user asks for the dimensions, the resolution or the format of a picture, a photo or a screenshot.
svg-minify | Removes comments and whitespace from an SVG and shortens its paths. Use to make an icon or a vector graphic smaller, or to optimise SVG files for the web.
geo-distance | Computes the distance between two places or points of latitude and longitude, as the crow flies. Use when the user asks how far or how many kilometres it is from one city to another.
geo-bearing | Computes the compass bearing from one coordinate to another. Use when the user asks in which direction a place lies, or which heading to take.
geo-box | Computes the bounding box and the centre of a list of coordinates. Use when the user needs the rectangle of a map that contains all points, locations or stops.
geo-encode | Encodes latitude and longitude as a geohash or plus code and decodes them. Use when the user needs a short code for a place.
address-parse | Splits a postal address into street, house number, postcode or zip code, city and country. Use when addresses in one line must become separate fields or columns.
name-split | Splits a person's full name into title, given or first name and family or last name. Use when names in one column must become separate columns, with surnames and prefixes handled.
name-match | Finds records of the same person or customer despite differences in the spelling of the name. Use when the user looks for duplicate people, or asks whether Jon Smith is John Smyth.
language-detect | Detects the language in which a text is written, such as Spanish, Portuguese or German. Use when the user asks which language a comment, a review or a message is in.
readability | Scores how easy a text is to read: Flesch score and grade level. Use when the user asks whether a leaflet, a page or a paragraph is easy enough for an audience or age.
word-count | Counts the words, sentences and characters of a text. Use when the user asks how long an abstract, an essay or a tweet is, or whether it is below a limit.
keyword-extract | Extracts the most important keywords, key terms and topics of a text. Use to tag a blog post or a paper, or to find out what it is about.
text-similarity | Scores how similar two texts are, from 0 to 1. Use when the user asks whether two answers or descriptions are nearly the same, or checks for plagiarism.
sentiment | Scores the sentiment of reviews and feedback as positive, neutral or negative. Use when the user asks whether customers are happy, or what the tone of a comment is.
summary-extract | Summarises a text, a report or an article by its most important sentences. Use when the user asks for a summary, a short version, the key points or a digest.
spell-check | Finds misspelled English words and suggests corrections. Use when the user asks for typos or spelling mistakes in an email, a paragraph or a document.
ics-make | Writes a calendar file (.ics) for an event. Use when a meeting, a workshop or a party should be put into Outlook, Google Calendar or another calendar.
vcard-make | Writes a vCard file (.vcf) for a contact with name, phone and email. Use when the user needs a contact file or business card that phones can import.
qr-payload | Builds the text of a QR code for Wi-Fi, contacts or payments. Use when the user wants a QR code that joins the guest network, or asks what such a code must contain.
password-strength | Estimates the strength of a password or passphrase in bits of entropy. Use when the user asks how strong or safe a password is, or how quickly an attacker could guess it.
rota-plan | Assigns people to shifts fairly, with days off respected. Use for a rota, a roster, a duty schedule or a shift plan, when the user asks who works which weekend or night.
`;

/** Skills with descriptions in the style of published skills, in the order of `SKILL_TEXTS`. */
export const LONG_TEXTS: readonly Omit<SkillText, 'whenNot'>[] = lines(LONG).map((line) => {
  const bar = line.indexOf('|');
  return { name: line.slice(0, bar).trim(), description: line.slice(bar + 1).trim() };
});
