"""Adjectives of nationality and the countries they stand for (Wikidata ids)."""

from __future__ import annotations

__all__ = ["ADJECTIVES", "DEMONYMS", "LANGUAGES"]

_TABLE = """
Afghan Q889 Afghanistan|Albanian Q222 Albania|Algerian Q262 Algeria|American U.S. US U.S.A. USA Q30 United States|Angolan Q916 Angola
Argentine Argentinian Argentinean Q414 Argentina|Armenian Q399 Armenia|Australian Q408 Australia|Austrian Q40 Austria
Azerbaijani Q227 Azerbaijan|Bahamian Q778 The Bahamas|Bangladeshi Q902 Bangladesh|Barbadian Q244 Barbados|Belarusian Q184 Belarus
Belgian Q31 Belgium|Beninese Q962 Benin|Bhutanese Q917 Bhutan|Bolivian Q750 Bolivia|Bosnian Q225 Bosnia and Herzegovina
Brazilian Q155 Brazil|British Q145 United Kingdom|Bulgarian Q219 Bulgaria|Burmese Q836 Myanmar|Cambodian Q424 Cambodia
Cameroonian Q1009 Cameroon|Canadian Q16 Canada|Chadian Q657 Chad|Chilean Q298 Chile|Chinese Q148 People's Republic of China
Colombian Q739 Colombia|Congolese Q974 Democratic Republic of the Congo|Croatian Q224 Croatia|Cuban Q241 Cuba|Cypriot Q229 Cyprus
Czech Q213 Czech Republic|Danish Q35 Denmark|Dominican Q786 Dominican Republic|Dutch Q55 Netherlands|Ecuadorian Q736 Ecuador
Egyptian Q79 Egypt|English Q145 United Kingdom|Eritrean Q986 Eritrea|Estonian Q191 Estonia|Ethiopian Q115 Ethiopia|Fijian Q712 Fiji
Filipino Filipina Philippine Q928 Philippines|Finnish Q33 Finland|French Q142 France|Gabonese Q1000 Gabon|Gambian Q1005 The Gambia
Georgian Q230 Georgia|German Q183 Germany|Ghanaian Q117 Ghana|Greek Q41 Greece|Guatemalan Q774 Guatemala|Guinean Q1006 Guinea
Guyanese Q734 Guyana|Haitian Q790 Haiti|Honduran Q783 Honduras|Hungarian Q28 Hungary|Icelandic Q189 Iceland|Indian Q668 India
Indonesian Q252 Indonesia|Iranian Q794 Iran|Iraqi Q796 Iraq|Irish Q27 Ireland|Israeli Q801 Israel|Italian Q38 Italy
Ivorian Q1008 Ivory Coast|Jamaican Q766 Jamaica|Japanese Q17 Japan|Jordanian Q810 Jordan|Kazakh Kazakhstani Q232 Kazakhstan
Kenyan Q114 Kenya|Korean Q884 South Korea|Kuwaiti Q817 Kuwait|Kyrgyz Q813 Kyrgyzstan|Laotian Q819 Laos|Latvian Q211 Latvia
Lebanese Q822 Lebanon|Liberian Q1014 Liberia|Libyan Q1016 Libya|Lithuanian Q37 Lithuania|Luxembourgish Luxembourgian Q32 Luxembourg
Macedonian Q221 North Macedonia|Malagasy Q1019 Madagascar|Malawian Q1020 Malawi|Malaysian Q833 Malaysia|Malian Q912 Mali
Maltese Q233 Malta|Mauritanian Q1025 Mauritania|Mauritian Q1027 Mauritius|Mexican Q96 Mexico|Moldovan Q217 Moldova
Mongolian Q711 Mongolia|Montenegrin Q236 Montenegro|Moroccan Q1028 Morocco|Mozambican Q1029 Mozambique|Namibian Q1030 Namibia
Nepalese Nepali Q837 Nepal|Nicaraguan Q811 Nicaragua|Nigerian Q1033 Nigeria|Norwegian Q20 Norway|Omani Q842 Oman|Pakistani Q843 Pakistan
Palestinian Q219060 Palestine|Panamanian Q804 Panama|Paraguayan Q733 Paraguay|Peruvian Q419 Peru|Polish Q36 Poland|Portuguese Q45 Portugal
Qatari Q846 Qatar|Romanian Q218 Romania|Russian Q159 Russia|Rwandan Q1037 Rwanda|Salvadoran Q792 El Salvador|Samoan Q683 Samoa
Saudi Q851 Saudi Arabia|Scottish Q145 United Kingdom|Senegalese Q1041 Senegal|Serbian Q403 Serbia|Singaporean Q334 Singapore
Slovak Q214 Slovakia|Slovene Slovenian Q215 Slovenia|Somali Q1045 Somalia|Soviet Q15180 Soviet Union|Spanish Q29 Spain
Sudanese Q1049 Sudan|Surinamese Q730 Suriname|Swedish Q34 Sweden|Swiss Q39 Switzerland|Syrian Q858 Syria|Taiwanese Q865 Taiwan
Tajik Q863 Tajikistan|Tanzanian Q924 Tanzania|Thai Q869 Thailand|Togolese Q945 Togo|Trinidadian Q754 Trinidad and Tobago
Tunisian Q948 Tunisia|Turkish Q43 Turkey|Turkmen Q874 Turkmenistan|Ugandan Q1036 Uganda|Ukrainian Q212 Ukraine|Emirati Q878 United Arab Emirates
Uruguayan Q77 Uruguay|Uzbek Q265 Uzbekistan|Venezuelan Q717 Venezuela|Vietnamese Q881 Vietnam|Welsh Q145 United Kingdom|Yemeni Q805 Yemen
Andorran Q228 Andorra|Bahraini Q398 Bahrain|Belizean Q242 Belize|Bruneian Q921 Brunei|Burundian Q967 Burundi|Djiboutian Q977 Djibouti
Kosovar Kosovan Q1246 Kosovo|Maldivian Q826 Maldives|Monegasque Q235 Monaco|Nigerien Q1032 Niger|Ottoman Q12560 Ottoman Empire|UK U.K. Q145 United Kingdom
Seychellois Q1042 Seychelles|Timorese Q574 East Timor|Tongan Q678 Tonga|Siamese Q869 Thailand|Madagascan Q1019 Madagascar
South_Korean Q884 South Korea|North_Korean Q423 North Korea|South_African Q258 South Africa|New_Zealand Q664 New Zealand|Sri_Lankan Q854 Sri Lanka
Costa_Rican Q800 Costa Rica|Puerto_Rican Q1183 Puerto Rico|Saudi_Arabian Q851 Saudi Arabia|East_German Q16957 East Germany|West_German Q713750 West Germany
Northern_Irish Q145 United Kingdom|Sierra_Leonean Q1044 Sierra Leone|Cape_Verdean Q1011 Cape Verde|Hong_Kong Q8646 Hong Kong|Papua_New_Guinean Q691 Papua New Guinea
South_Sudanese Q958 South Sudan|North_Macedonian Q221 North Macedonia|El_Salvadoran Q792 El Salvador|Burkina_Faso Q965 Burkina Faso|South_Vietnamese Q180573 South Vietnam
United_States Q30 United States|Zambian Q953 Zambia|Zimbabwean Q954 Zimbabwe|Yugoslav Q36704 Yugoslavia|Czechoslovak Q33946 Czechoslovakia|Prussian Q27306 Prussia
"""


def _read() -> dict[str, tuple[str, str]]:
    out = {}
    for entry in _TABLE.replace("\n", "|").split("|"):
        words = entry.split()
        at = next((i for i, word in enumerate(words) if word[0] == "Q" and word[1:].isdigit()), None)
        if at is not None:
            for adjective in words[:at]:
                out[adjective.lower().replace("_", " ")] = (words[at], " ".join(words[at + 1 :]))
    return out


DEMONYMS = _read()
"""Adjective in lower case → (id, label) of the country. An adjective may have two words ("south korean")."""


def _adjectives() -> dict[str, str]:
    """The first adjective of each country that the table gives, as it is written."""
    found: dict[str, str] = {}
    for adjective, (entity, _) in DEMONYMS.items():
        found.setdefault(entity, adjective.title() if " " in adjective else adjective.capitalize())
    return found


ADJECTIVES = _adjectives()
"""Id of a country → adjective. The United Kingdom is "British", not "English"."""

LANGUAGES = frozenset(
    "albanian armenian belarusian bosnian bulgarian burmese catalan chinese croatian czech danish dutch english estonian finnish"
    " french georgian german greek hungarian icelandic indonesian irish italian japanese kazakh korean latvian lithuanian"
    " macedonian malagasy maltese mongolian nepali norwegian polish portuguese romanian russian samoan serbian slovak"
    " slovene slovenian somali spanish swedish thai turkish ukrainian uzbek vietnamese welsh scottish arabic hindi".split()
)
"""Adjectives that are also languages, in lower case: what a book is in, and not where it is from."""
